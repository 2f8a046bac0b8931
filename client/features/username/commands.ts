import { AtSign } from 'lucide-react'
import { defineCommands } from '../../lib/commands.ts'
import { defineTexts } from '../../lib/texts/define.ts'

export default defineCommands(
  defineTexts('commands/username', {
    username: { label: 'Change username', words: 'username, handle, nickname' },
  }),
  {
    username: { icon: AtSign, to: '/account/profile#username', on: 'username' },
  },
)
