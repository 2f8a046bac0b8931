import type { Bounds } from './bounds.ts'
export const deploymentBounds: Bounds = {}
