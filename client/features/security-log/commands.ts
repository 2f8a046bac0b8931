import { History } from 'lucide-react'
import { defineCommands } from '../../lib/commands.ts'
import { defineTexts } from '../../lib/texts/define.ts'

export default defineCommands(
  defineTexts('commands/securityLog', {
    activity: { label: 'Recent activity', words: 'activity, history, log, events, sign-ins' },
  }),
  {
    activity: { icon: History, to: '/account/security#activity' },
  },
)
