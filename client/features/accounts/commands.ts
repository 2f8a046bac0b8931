import { KeyRound, Link2 } from 'lucide-react'
import { defineCommands } from '../../lib/commands.ts'
import { defineTexts } from '../../lib/texts/define.ts'

export default defineCommands(
  defineTexts('commands/accounts', {
    ways: { label: 'Ways to sign in', words: 'sign-in, login, password, providers, linked accounts' },
    link: { label: 'Link a service', words: 'link, connect, provider, Google, GitHub, Apple, Microsoft, social login' },
  }),
  {
    ways: { icon: KeyRound, to: '/account/security#accounts' },
    link: { icon: Link2, to: '/account/security#link-service', when: ({ providers }) => (providers?.length ?? 0) > 0 },
  },
)
