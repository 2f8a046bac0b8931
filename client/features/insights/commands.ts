import { Ban, LogOut, ShieldAlert } from 'lucide-react'
import { defineCommands } from '../../lib/commands.ts'
import { defineTexts } from '../../lib/texts/define.ts'

export default defineCommands(
  defineTexts('commands/threats', {
    raise: { label: 'Require codes for an hour', words: 'attack, level, code' },
    block: { label: 'Block a network', words: 'attack, address, range' },
    endSessions: { label: 'End all sessions of a network', words: 'attack, address, sign out' },
  }),
  {
    raise: { icon: ShieldAlert, to: '/admin/threats#raise', on: 'risk', permission: { user: ['ban'] } },
    block: { icon: Ban, to: '/admin/threats#block', on: 'risk', permission: { user: ['ban'] } },
    endSessions: { icon: LogOut, to: '/admin/threats#end-sessions', on: 'risk', permission: { session: ['revoke'] } },
  },
)
