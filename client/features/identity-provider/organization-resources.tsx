import { Plus } from 'lucide-react'
import { auth } from '../../lib/api.ts'
import { refreshQueries, useQuery } from '../../lib/queries.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/member-page.tsx'
import { Section } from '../../ui/section.tsx'
import { EmptyState, Loaded } from '../../ui/state.tsx'
import { type Current, WhyNot, WithOrganization } from '../organization/current.tsx'
import { ResourceDialog, useEditedResource } from './resource-dialog.tsx'
import { type ResourceCalls, ResourceTable } from './resource-table.tsx'
import { resourceTexts } from './resources.texts.ts'

const refresh = () => void refreshQueries('resources')

export default function OrganizationResources() {
  const t = useTexts(resourceTexts)
  return (
    <WithOrganization wide title={t.resources} intro={t.organizationIntro}>
      {(current) => <ResourcesOf key={current.organization.id} current={current} />}
    </WithOrganization>
  )
}

const wanted = { organization: ['update'] }

function ResourcesOf({ current: { organization, may } }: { current: Current }) {
  const t = useTexts(resourceTexts)
  const { id: organizationId } = organization
  const allowed = may(wanted)
  const list = useQuery(
    ['resources', organizationId],
    () => auth.organization.listResources({ query: { organizationId } }),
    allowed,
  )
  const edited = useEditedResource()
  const calls: ResourceCalls = {
    change: edited.open,
    delete: (id) => auth.organization.deleteResource({ organizationId, id }),
    changed: refresh,
    mayChange: () => true,
    mayDelete: true,
    ofAll: false,
  }
  const create = allowed && list.data && list.data.resources.length < list.data.limit && (
    <Button look="primary" onClick={() => edited.open('new')}>
      <Plus aria-hidden size={17} />
      {t.create}
    </Button>
  )
  const some = list.data && list.data.resources.length > 0
  return (
    <Page wide title={t.resources} intro={t.organizationIntro} actions={some && create}>
      {allowed ? (
        <Loaded of={list}>
          {({ resources }) =>
            resources.length === 0 ? (
              <EmptyState action={create}>{t.noResources}</EmptyState>
            ) : (
              <Section>
                <ResourceTable rows={resources} calls={calls} />
              </Section>
            )
          }
        </Loaded>
      ) : (
        <WhyNot wanted={wanted} />
      )}
      <ResourceDialog edited={edited} organizationId={organizationId} changed={refresh} />
    </Page>
  )
}
