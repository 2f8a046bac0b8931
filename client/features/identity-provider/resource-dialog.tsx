import { useState } from 'react'
import { useTexts } from '../../lib/texts/texts.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toasts.tsx'
import { type Resource, ResourceForm } from './resource-form.tsx'
import { resourceTexts } from './resources.texts.ts'

/** `new`, or the resource that changes. */
type Edited = Resource | 'new'

export function useEditedResource() {
  const [edited, setEdited] = useState<Edited | null>(null)
  return { edited, open: (resource: Edited) => setEdited(resource), close: () => setEdited(null) }
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
