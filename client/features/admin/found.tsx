import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useConfig } from '../../lib/api.ts'
import type { Watched } from '../../lib/auth/use-view.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import { Page } from '../../ui/member-page.tsx'
import { Section } from '../../ui/section.tsx'
import { EmptyState, ErrorPanel, Loaded, Skeleton } from '../../ui/state.tsx'
import { insightsTexts } from '../insights/insights.texts.ts'
import { foundTexts } from './found.texts.ts'
import { useRights } from './rights.ts'
import { adminTexts } from './texts.ts'

interface Thing {
  id: string
  name: string
  /** An API key, an agent. */
  kind: string
  state: ReactNode
  facts: [label: string, value: ReactNode][]
}

/** The page of one thing that the search of the console finds. */
export function FoundThing<Data>({
  of,
  title,
  read,
}: {
  of: Watched<Data>
  title: string
  /** null: nothing has the id. */
  read(data: Data): Thing | null
}) {
  const t = useTexts(foundTexts)
  const admin = useTexts(adminTexts)
  const { title: overview } = useTexts(insightsTexts)
  const { may } = useRights()
  if (of.error && !of.data) {
    return (
      <Page title={title}>
        <ErrorPanel error={of.error} errors={admin.errors} onRetry={() => void of.refetch()} />
      </Page>
    )
  }
  return (
    <Loaded
      of={of}
      skeleton={
        <Section>
          <Skeleton lines={6} />
        </Section>
      }
    >
      {(data) => {
        const thing = read(data)
        if (!thing) {
          return (
            <Page title={title}>
              <EmptyState action={<ButtonLink to="/admin">{overview}</ButtonLink>}>{t.gone}</EmptyState>
            </Page>
          )
        }
        const { id, name, kind, state, facts } = thing
        return (
          <Page
            title={name}
            intro={
              <p className="flex flex-wrap items-center gap-2">
                {kind} {state}
              </p>
            }
            actions={
              may({ audit: ['list'] }) && (
                <ButtonLink to={`/admin/audit?${new URLSearchParams({ q: id })}`}>{t.history}</ButtonLink>
              )
            }
          >
            <Section>
              <FactList facts={facts} />
            </Section>
          </Page>
        )
      }}
    </Loaded>
  )
}

/** The owner, with a link to their page if the administrator may open it. */
export function Owner({
  of: { userId, organizationId, ownerName },
}: {
  of: { userId: string | null; organizationId: string | null; ownerName: string | null }
}) {
  const t = useTexts(foundTexts)
  const { features } = useConfig()
  const { may } = useRights()
  if (ownerName === null) return t.noOwner
  const page =
    userId !== null
      ? may({ user: ['list'] }) && `/admin/users/${userId}`
      : features.organization && may({ organization: ['list'] }) && `/admin/organizations/${organizationId}`
  return page ? (
    <Link href={page} className="link">
      {ownerName}
    </Link>
  ) : (
    ownerName
  )
}
