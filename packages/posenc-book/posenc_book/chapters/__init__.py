"""What a chapter shows beside its text: its number, its minutes, its folds, its glossary."""
