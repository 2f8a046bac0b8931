import { Smartphone } from 'lucide-react'
import { defineCommands } from '../../lib/commands.ts'
import { defineTexts } from '../../lib/texts/define.ts'

export default defineCommands(
  defineTexts('commands/phoneNumber', {
    phone: { label: 'Phone number', words: 'phone, mobile, number, SMS' },
    change: { label: 'Change phone number', words: 'phone, mobile, number, SMS, add' },
  }),
  {
    phone: { icon: Smartphone, to: '/account/profile#phone', on: 'phoneNumber' },
    change: { icon: Smartphone, to: '/account/profile#change-phone', on: 'phoneNumber' },
  },
)
