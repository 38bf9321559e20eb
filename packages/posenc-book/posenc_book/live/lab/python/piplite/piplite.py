"""What the kernel sets before it starts; nothing here reads it."""
