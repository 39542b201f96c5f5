package random

const hasVectors = true
