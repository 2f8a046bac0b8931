import { LogOut, Monitor } from 'lucide-react'
import { defineCommands } from '../../lib/commands.ts'
import { defineTexts } from '../../lib/texts/define.ts'

export default defineCommands(
  defineTexts('commands/session', {
    sessions: { label: 'Sessions and devices', words: 'sessions, devices, signed in, browser' },
    others: { label: 'Sign out all other sessions', words: 'sessions, devices, sign out everywhere, revoke' },
    signOut: { label: 'Sign out', words: 'sign out, log out, leave, exit' },
  }),
  {
    sessions: { icon: Monitor, to: '/account/security#sessions' },
    others: { icon: LogOut, to: '/account/security#sign-out-others' },
    signOut: { icon: LogOut, to: '/sign-out', forAll: true },
  },
)
