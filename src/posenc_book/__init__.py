"""What turns the notebooks into a site."""
