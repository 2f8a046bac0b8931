import { UserPlus } from 'lucide-react'
import { defineCommands } from '../../lib/commands.ts'
import { defineTexts } from '../../lib/texts/define.ts'

export default defineCommands(
  defineTexts('commands/admin', {
    createUser: { label: 'Create a user', words: 'user, account, new, add' },
  }),
  {
    createUser: { icon: UserPlus, to: '/admin/users/new', on: 'admin', permission: { user: ['create'] } },
  },
)
