import { Mail, Trash2, UserRound } from 'lucide-react'
import { defineCommands } from '../../lib/commands.ts'
import { defineTexts } from '../../lib/texts/define.ts'

export default defineCommands(
  defineTexts('commands/profile', {
    name: { label: 'Change your name or picture', words: 'name, picture, photo, avatar, display name' },
    details: { label: 'Change further details', words: 'details, fields, profile' },
    email: { label: 'Email address', words: 'email, mail, address, verify' },
    changeEmail: { label: 'Change email address', words: 'email, mail, address, new address' },
    delete: { label: 'Delete account', words: 'delete, remove, close, erase' },
  }),
  {
    name: { icon: UserRound, to: '/account/profile#name' },
    details: {
      icon: UserRound,
      to: '/account/profile#details',
      when: ({ additionalFields }) => additionalFields?.some(({ profile }) => profile),
    },
    email: { icon: Mail, to: '/account/profile#email' },
    changeEmail: { icon: Mail, to: '/account/profile#change-email', on: 'changeEmail' },
    delete: { icon: Trash2, to: '/account/profile#delete-account', on: 'deleteUser' },
  },
)
