import { type Screen, visitor } from '../../lib/screens.ts'

const screens: Screen[] = [visitor('/goodbye', () => import('./goodbye.tsx'))]

export default screens
