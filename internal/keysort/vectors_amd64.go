package keysort

const hasVectors = true
