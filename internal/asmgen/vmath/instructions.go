package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// instruction appends one to the function. Instructions come in pairs: for lanes of 64 bits
// and of 32.
type instruction func(ops ...Op)

// Instructions of which avo fixes the number of operands.
func fixed2(f func(a, b Op)) instruction       { return func(o ...Op) { f(o[0], o[1]) } }
func fixed4(f func(a, b, c, d Op)) instruction { return func(o ...Op) { f(o[0], o[1], o[2], o[3]) } }

// binary holds the instructions of two operands by the bits of a lane.
var binary = map[op][2]instruction{
	opAdd:    {VADDPD, VADDPS},
	opSub:    {VSUBPD, VSUBPS},
	opMul:    {VMULPD, VMULPS},
	opDiv:    {VDIVPD, VDIVPS},
	opMin:    {VMINPD, VMINPS},
	opAnd:    {VANDPD, VANDPS},
	opAndNot: {VANDNPD, VANDNPS},
	opOr:     {VORPD, VORPS},
	opXor:    {VXORPD, VXORPS},
	opIntAdd: {VPADDQ, VPADDD},
	opIntSub: {VPSUBQ, VPSUBD},
}

var (
	shiftLeft    = [2]instruction{VPSLLQ, VPSLLD}
	shiftRight   = [2]instruction{VPSRLQ, VPSRLD}
	sqrt         = [2]instruction{VSQRTPD, VSQRTPS}
	move         = [2]instruction{VMOVAPD, VMOVAPS}
	mulAdd231    = [2]instruction{VFMADD231PD, VFMADD231PS}
	mulAdd213    = [2]instruction{VFMADD213PD, VFMADD213PS}
	negMulAdd231 = [2]instruction{VFNMADD231PD, VFNMADD231PS}
	negMulAdd213 = [2]instruction{VFNMADD213PD, VFNMADD213PS}
	mulSub231    = [2]instruction{VFMSUB231PD, VFMSUB231PS}
	mulSub213    = [2]instruction{VFMSUB213PD, VFMSUB213PS}
	compare      = [2]instruction{VCMPPD, VCMPPS}
	intGreater   = [2]instruction{VPCMPGTQ, VPCMPGTD}
	broadcast    = [2]instruction{VBROADCASTSD, VBROADCASTSS}
	toMask       = [2]instruction{fixed2(VPMOVQ2M), fixed2(VPMOVD2M)}
	blendVar     = [2]instruction{fixed4(VBLENDVPD), fixed4(VBLENDVPS)}
	signs        = [2]instruction{fixed2(VMOVMSKPD), fixed2(VMOVMSKPS)}
)
