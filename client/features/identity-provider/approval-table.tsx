import type { AnswerOf } from '../../lib/auth/endpoints.ts'
import { useLanguage, useTexts } from '../../lib/texts/texts.ts'
import { Badge } from '../../ui/small.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { approvalTexts } from './approvals.texts.ts'

export type Approval = AnswerOf<'/approvals/list'>[number]

/** Requests and their answers. @param named shows the client */
export function ApprovalTable({ list, named = false }: { list: Approval[]; named?: boolean }) {
  const t = useTexts(approvalTexts)
  const columns: Column<Approval>[] = [
    { key: 'request', label: t.request, lead: true, cell: (approval) => <Words {...approval} named={named} /> },
    { key: 'state', label: t.state, cell: ({ state }) => <Badge>{t.states[state]}</Badge> },
    { key: 'when', label: t.when, align: 'end', cell: ({ createdAt }) => <Time date={createdAt} /> },
  ]
  return <Table caption={t.title} columns={columns} rows={list} rowKey={({ id }) => id} />
}

function Words({
  client,
  bindingMessage,
  authorizationDetails,
  scopes,
  scopeWords,
  named,
}: Approval & { named: boolean }) {
  const language = useLanguage()
  const sentences = authorizationDetails.map(({ sentence }) => sentence[language] ?? sentence.en)
  const permissions = scopes.map((scope) => scopeWords[scope] ?? scope)
  return (
    <span className="grid gap-0.5 text-start sm:min-w-36">
      {named && <span className="font-medium wrap-anywhere">{client.name}</span>}
      <span dir="auto" className="wrap-anywhere first-letter:uppercase">
        {(sentences.length > 0 ? sentences : permissions).join('; ')}
      </span>
      {bindingMessage && <span className="text-soft wrap-anywhere">{bindingMessage}</span>}
    </span>
  )
}
