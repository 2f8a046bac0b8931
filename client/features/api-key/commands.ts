import { Plus } from 'lucide-react'
import { defineCommands } from '../../lib/commands.ts'
import { defineTexts } from '../../lib/texts/define.ts'

export default defineCommands(
  defineTexts('commands/apiKey', {
    create: { label: 'Create an API key', words: 'API key, token, new, create' },
  }),
  {
    create: { icon: Plus, to: '/developers/api-keys#create', on: 'apiKey' },
  },
)
