import { member } from '../../lib/screens.ts'

export default [member('/developers/api-keys', () => import('./api-keys.tsx'), 'apiKey')]
