import { UserPlus } from 'lucide-react'
import { defineCommands } from '../../lib/commands.ts'
import { defineTexts } from '../../lib/texts/define.ts'

export default defineCommands(
  defineTexts('commands/multiSession', {
    add: { label: 'Add another account', words: 'account, switch, second, sign in' },
  }),
  {
    add: { icon: UserPlus, to: '/sign-in?add=account', on: 'multiSession' },
  },
)
