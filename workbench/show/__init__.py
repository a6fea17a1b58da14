"""Frames in, things to look at out: captioned tables, figures and graph views."""
