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

// partitionVectors is [partitionTo] by vector instructions if there are any for K. It
// reports whether it did.
func partitionVectors[K unsigned](x, y []K, p K) (less int, ok bool) {
	if !keysort.Vectors {
		return 0, false
	}
	switch x := any(x).(type) {
	case []uint64:
		return keysort.Partition(x, any(y).([]uint64), uint64(p)), true
	case []uint32:
		return keysort.Partition(x, any(y).([]uint32), uint32(p)), true
	}
	return 0, false
}

// betweenVectors is [betweenKeys] by vector instructions if there are any for K. It
// reports whether it did.
func betweenVectors[K unsigned](dst, src []K, lo, hi K) (less, within int, ok bool) {
	if !keysort.Vectors {
		return 0, 0, false
	}
	switch src := any(src).(type) {
	case []uint64:
		less, within = keysort.Between(any(dst).([]uint64), src, uint64(lo), uint64(hi))
	case []uint32:
		less, within = keysort.Between(any(dst).([]uint32), src, uint32(lo), uint32(hi))
	default:
		return 0, 0, false
	}
	return less, within, true
}

// collectVectors is [keyKit.collect] by vector instructions if there are any for K. It
// reports whether it did.
func collectVectors[K unsigned](x, y []K, parts [][]K) (less int, ok bool) {
	if !keysort.Vectors {
		return 0, false
	}
	switch x := any(x).(type) {
	case []uint64:
		return keysort.Collect(x, any(y).([]uint64), any(parts).([][]uint64)), true
	case []uint32:
		return keysort.Collect(x, any(y).([]uint32), any(parts).([][]uint32)), true
	}
	return 0, false
}

// sortCollectedVectors is [keyKit.sortCollected] after collectVectors.
func sortCollectedVectors[K unsigned](x, y []K, less, workers int) bool {
	if !keysort.Vectors {
		return false
	}
	switch x := any(x).(type) {
	case []uint64:
		keysort.SortCollected(x, any(y).([]uint64), less, workers)
	case []uint32:
		keysort.SortCollected(x, any(y).([]uint32), less, workers)
	default:
		return false
	}
	return true
}
