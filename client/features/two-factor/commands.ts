import { ListRestart, MonitorX, ShieldCheck, ShieldOff } from 'lucide-react'
import { defineCommands } from '../../lib/commands.ts'
import { defineTexts } from '../../lib/texts/define.ts'

export default defineCommands(
  defineTexts('commands/twoFactor', {
    section: { label: 'Two-factor authentication', words: 'two-factor, 2FA, MFA, second factor, authenticator' },
    setUp: { label: 'Set up two-factor authentication', words: 'two-factor, 2FA, MFA, authenticator, TOTP, turn on' },
    codes: { label: 'Create new backup codes', words: 'backup codes, recovery, two-factor, 2FA' },
    forget: { label: 'Forget trusted devices', words: 'trusted devices, two-factor, 2FA' },
    disable: { label: 'Turn off two-factor authentication', words: 'two-factor, 2FA, MFA, disable, remove' },
  }),
  {
    section: { icon: ShieldCheck, to: '/account/security#two-factor', on: 'twoFactor' },
    setUp: { icon: ShieldCheck, to: '/account/security#set-up-two-factor', on: 'twoFactor' },
    codes: {
      icon: ListRestart,
      to: '/account/security#backup-codes',
      on: 'twoFactor',
      when: (_, user) => user.twoFactorEnabled,
    },
    forget: {
      icon: MonitorX,
      to: '/account/security#forget-devices',
      on: 'twoFactor',
      when: (_, user) => user.twoFactorEnabled,
    },
    disable: {
      icon: ShieldOff,
      to: '/account/security#disable-two-factor',
      on: 'twoFactor',
      when: (_, user) => user.twoFactorEnabled,
    },
  },
)
