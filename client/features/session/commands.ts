import { LogOut, Monitor, ShieldCheck } from 'lucide-react'
import { defineCommands } from '../../lib/commands.ts'
import { defineTexts } from '../../lib/texts/define.ts'

export default defineCommands(
  defineTexts('commands/session', {
    checkup: { label: 'Security check-up', words: 'check-up, safe, protect, advice, status' },
    sessions: { label: 'Sessions and devices', words: 'sessions, devices, signed in, browser' },
    others: { label: 'Sign out all other sessions', words: 'sessions, devices, sign out everywhere, revoke' },
    signOut: { label: 'Sign out', words: 'sign out, log out, leave, exit' },
  }),
  {
    checkup: { icon: ShieldCheck, to: '/account/security#checkup' },
    sessions: { icon: Monitor, to: '/account/security#sessions' },
    others: { icon: LogOut, to: '/account/security#sign-out-others' },
    signOut: { icon: LogOut, to: '/sign-out', forAll: true },
  },
)
