import { ClipboardCheck, KeyRound, Plus, Radio, Users } from 'lucide-react'
import { defineCommands } from '../../lib/commands.ts'
import { defineTexts } from '../../lib/texts/define.ts'

export default defineCommands(
  defineTexts('commands/audit', {
    review: { label: 'Access review', words: 'access, review, rights, report' },
    access: { label: 'Who has access', words: 'access, members, rights, roles' },
    credentials: { label: 'Keys and applications with access', words: 'access, credentials, keys, applications' },
    streams: { label: 'Streams of the audit log', words: 'stream, SIEM, Splunk, Datadog, S3, export' },
    stream: { label: 'Create a stream of the audit log', words: 'stream, SIEM, Splunk, Datadog, S3, new' },
    allStreams: { label: 'Streams of the whole audit log', words: 'stream, SIEM, Splunk, Datadog, S3, export' },
    newStream: { label: 'Create a stream of the whole audit log', words: 'stream, SIEM, Splunk, Datadog, S3, new' },
  }),
  {
    review: {
      icon: ClipboardCheck,
      to: '/organization/audit/access-review',
      on: 'audit',
      memberPermission: { audit: ['read'] },
    },
    access: {
      icon: Users,
      to: '/organization/audit/access-review#access',
      on: 'audit',
      memberPermission: { audit: ['read'] },
    },
    credentials: {
      icon: KeyRound,
      to: '/organization/audit/access-review#credentials',
      on: 'audit',
      memberPermission: { audit: ['read'] },
    },
    streams: { icon: Radio, to: '/organization/audit/streams', on: 'audit', memberPermission: { audit: ['read'] } },
    stream: {
      icon: Plus,
      to: '/organization/audit/streams#create',
      on: 'audit',
      memberPermission: { audit: ['update'] },
    },
    allStreams: { icon: Radio, to: '/admin/audit/streams', on: 'admin', permission: { audit: ['list'] } },
    newStream: { icon: Plus, to: '/admin/audit/streams#create', on: 'admin', permission: { audit: ['update'] } },
  },
)
