import { Plus } from 'lucide-react'
import { defineCommands } from '../../lib/commands.ts'
import { defineTexts } from '../../lib/texts/define.ts'

export default defineCommands(
  defineTexts('commands/sharedSignals', {
    create: { label: 'Add an event receiver', words: 'receiver, signals, events, webhook, new' },
  }),
  {
    create: {
      icon: Plus,
      to: '/admin/signal-receivers#create',
      on: 'signalReceivers',
      permission: { signalReceiver: ['create'] },
    },
  },
)
