package nontemporal

import "golang.org/x/sys/cpu"

var enabled = cpu.X86.HasAVX
