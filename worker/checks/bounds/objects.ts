import type { Bounds } from './bounds.ts'
export const objectBounds: Bounds = {}
export const counterBounds: Bounds = {}
export const kvBounds: Bounds = {}
