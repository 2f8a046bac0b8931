import { useRef } from 'react'
import { useAction } from '../../lib/action.ts'
import { auth } from '../../lib/api.ts'
import type { Result } from '../../lib/auth/types.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorPanel } from '../../ui/state.tsx'
import { toast } from '../../ui/toasts.tsx'
import { profileTexts } from './texts.ts'

const side = 256
const largest = 32 * 1024

/** The middle square of a picture, 256 px wide, as WebP of at most 32 KiB; null when the file is not a picture. */
async function squareOf(file: File): Promise<Blob | null> {
  const picture = await createImageBitmap(file).catch(() => null)
  if (!picture) return null
  const cut = Math.min(picture.width, picture.height)
  const canvas = new OffscreenCanvas(side, side)
  const [x, y] = [(picture.width - cut) / 2, (picture.height - cut) / 2]
  canvas.getContext('2d')?.drawImage(picture, x, y, cut, cut, 0, 0, side, side)
  for (const quality of [0.9, 0.8, 0.6, 0.4]) {
    const blob = await canvas.convertToBlob({ type: 'image/webp', quality })
    if (blob.size <= largest) return blob
  }
  return null
}

async function base64Of(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer())
  return btoa(String.fromCharCode(...bytes))
}

/**
 * A picture from this device, made small here before it is sent, and the way to be without one. `image` of the user
 * holds its address.
 */
export function Picture({ exists }: { exists: boolean }) {
  const t = useTexts(profileTexts)
  const input = useRef<HTMLInputElement>(null)
  const chooser = useRef<HTMLButtonElement>(null)
  const upload = useAction(
    async (file: File): Promise<Result<{ image: string }>> => {
      const square = await squareOf(file)
      if (!square) return { data: null, error: { status: 400, statusText: '', code: 'NOT_A_PICTURE' } }
      return auth.avatar({ webp: await base64Of(square) })
    },
    () => {
      auth.$notify('session')
      toast(t.saved)
    },
  )
  const remove = useAction(
    () => auth.updateUser({ image: null }),
    () => {
      toast(t.saved)
      // Its own button goes with the picture.
      chooser.current?.focus()
    },
  )
  const error = upload.error ?? remove.error
  const label = exists ? t.changePicture : t.choosePicture
  return (
    <div className="grid min-w-0 flex-1 justify-items-start gap-2">
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        onChange={({ target }) => {
          if (target.files?.[0]) upload.run(target.files[0])
          target.value = ''
        }}
      />
      <div className="flex flex-wrap gap-2">
        <Button ref={chooser} busy={upload.busy} onClick={() => input.current?.click()}>
          {label}
        </Button>
        {exists && (
          <Button look="quiet" busy={remove.busy} onClick={remove.run}>
            {t.removePicture}
          </Button>
        )}
      </div>
      {error && <ErrorPanel error={error} errors={t.errors} />}
    </div>
  )
}
