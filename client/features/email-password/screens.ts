import { type Screen, visitor } from '../../lib/screens.ts'

const screens: Screen[] = [visitor('/reset-password', () => import('./reset-password.tsx'))]

export default screens
