import { KeyRound, Plus } from 'lucide-react'
import { defineCommands } from '../../lib/commands.ts'
import { defineTexts } from '../../lib/texts/define.ts'

export default defineCommands(
  defineTexts('commands/passkey', {
    passkeys: { label: 'Passkeys', words: 'passkey, security key, fingerprint, face' },
    add: { label: 'Add a passkey', words: 'passkey, security key, fingerprint, face, YubiKey, WebAuthn' },
  }),
  {
    passkeys: { icon: KeyRound, to: '/account/security#passkeys', on: 'passkey' },
    add: { icon: Plus, to: '/account/security#add-passkey', on: 'passkey' },
  },
)
