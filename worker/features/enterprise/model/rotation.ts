/**
 * The steps of a rotation. The first key signs, both decrypt, and our metadata has both:
 * - `add`: a second key, in place of an earlier second one
 * - `switch`: the second key signs
 * - `remove`: the second key is deleted
 */
export const rotationSteps = ['add', 'switch', 'remove'] as const
export type RotationStep = (typeof rotationSteps)[number]
