import { Plus } from 'lucide-react'
import { defineCommands } from '../../lib/commands.ts'
import { defineTexts } from '../../lib/texts/define.ts'

export default defineCommands(
  defineTexts('commands/serverKeys', {
    create: { label: 'Create a server key', words: 'server key, token, secret, new' },
  }),
  {
    create: { icon: Plus, to: '/admin/server-keys#create', on: 'serverKeys', permission: { serverKey: ['create'] } },
  },
)
