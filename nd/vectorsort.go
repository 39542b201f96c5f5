package nd

import (
	"caloric/internal/keysort"
	"caloric/internal/recycle"
)

// sortVectors sorts k by vector instructions if there are any for K; tmp is as
// long and is overwritten. It reports whether it did.
func sortVectors[K unsigned](k, tmp []K, workers int) bool {
	if !keysort.Vectors {
		return false
	}
	switch k := any(k).(type) {
	case []uint64:
		keysort.Sort(k, any(tmp).([]uint64), workers)
	case []uint32:
		keysort.Sort(k, any(tmp).([]uint32), workers)
	default:
		return false
	}
	return true
}

// selectVectors is selectKeys by vector instructions if there are any for K. It
// reports whether it did.
func selectVectors[K unsigned](k []K, at []int) bool {
	if !keysort.Vectors {
		return false
	}
	switch k := any(k).(type) {
	case []uint64:
		tmp := recycle.Make[uint64](len(k))
		keysort.Select(k, tmp, at)
		recycle.Free(tmp)
	case []uint32:
		tmp := recycle.Make[uint32](len(k))
		keysort.Select(k, tmp, at)
		recycle.Free(tmp)
	default:
		return false
	}
	return true
}
