package nd

// PackAlways makes ranks that share memory pack as others do, or no longer.
func PackAlways(on bool) { noDirect.Store(on) }

// ScratchPeak returns the most bytes of buffers for messages that this process has
// held at once since the last call.
func ScratchPeak() int { return int(scratchPeak.Swap(scratchInUse.Load())) }
