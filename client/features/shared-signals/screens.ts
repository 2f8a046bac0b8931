import { member } from '../../lib/screens.ts'

export default [member('/admin/signal-receivers', () => import('./receivers.tsx'), 'signalReceivers')]
