import { type Screen, visitor } from '../../lib/screens.ts'

// The Worker serves it in development only.
export default [visitor('/dev/brand', () => import('./preview.tsx'))] satisfies Screen[]
