import { Radio } from 'lucide-react'
import type { NavigationEntry } from '../../lib/navigation.ts'
import { defineTexts } from '../../lib/texts/define.ts'

export default [
  {
    group: 'admin',
    path: '/admin/signal-receivers',
    label: defineTexts('navigation/admin/signal-receivers', { label: 'Event receivers' }),
    icon: Radio,
    on: 'signalReceivers',
    permission: { signalReceiver: ['list'] },
  },
] satisfies NavigationEntry[]
