"""What a motion is when it is over: values, events, how it ended, files, words, digits to believe."""
