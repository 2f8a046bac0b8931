import type { Bounds } from './bounds.ts'
export const clientBounds: Bounds = {}
