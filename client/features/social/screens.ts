import { visitor } from '../../lib/screens.ts'

export default [visitor('/sign-in/address', () => import('./address.tsx'), 'askForEmail')]
