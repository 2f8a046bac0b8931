import { useState } from 'react'
import { useAddressed } from '../../lib/address.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toasts.tsx'
import { type Resource, ResourceForm } from './resource-form.tsx'
import { resourceTexts } from './resources.texts.ts'

/** `new`, or the resource that changes. */
type Edited = Resource | 'new'

export function useEditedResource() {
  const [edited, setEdited] = useState<Edited | null>(null)
  const [creating, setCreating] = useAddressed('create')
  return {
    edited: edited ?? (creating ? 'new' : null),
    open: (resource: Edited) => (resource === 'new' ? setCreating(true) : setEdited(resource)),
    close() {
      setEdited(null)
      setCreating(false)
    },
  }
}

interface ResourceDialogProps {
  edited: ReturnType<typeof useEditedResource>
  organizationId: string | null
  changed(): void
}

/** The form of a new resource, or of one that changes. */
export function ResourceDialog({ edited: { edited, close }, organizationId, changed }: ResourceDialogProps) {
  const t = useTexts(resourceTexts)
  const resource = edited === 'new' ? null : edited
  return (
    <Dialog
      open={edited !== null}
      title={resource ? t.changeTitle(resource.name ?? resource.identifier) : t.createTitle}
      onClose={close}
    >
      {edited !== null && (
        <ResourceForm
          resource={resource}
          organizationId={organizationId}
          done={(name) => {
            close()
            toast(t.saved(name))
            changed()
          }}
          cancel={close}
        />
      )}
    </Dialog>
  )
}
