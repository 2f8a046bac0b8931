import { LockKeyhole } from 'lucide-react'
import { defineCommands } from '../../lib/commands.ts'
import { defineTexts } from '../../lib/texts/define.ts'

export default defineCommands(
  defineTexts('commands/password', {
    password: { label: 'Password', words: 'password, credentials' },
    change: { label: 'Change password', words: 'password, passphrase, set, new, credentials' },
  }),
  {
    password: { icon: LockKeyhole, to: '/account/security#password', on: 'emailAndPassword' },
    change: { icon: LockKeyhole, to: '/account/security#change-password', on: 'emailAndPassword' },
  },
)
