import { useRef } from 'react'
import { useAction } from '../lib/action.ts'
import type { Result } from '../lib/auth/types.ts'
import { Button } from './button.tsx'
import { ErrorPanel } from './state.tsx'

const side = 256
const largest = 32 * 1024

/** The middle square of a picture, 256 px wide, as WebP of at most 32 KiB; null for other files. */
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

interface PictureUploadProps {
  exists: boolean
  labels: { choose: string; change: string; remove: string }
  /** @param webp base64 */
  upload(webp: string): Promise<Result<unknown>>
  remove(): Promise<Result<unknown>>
  done(): void
}

/** Uploads a picture, cropped and scaled down, or removes it. */
export function PictureUpload({ exists, labels, done, ...calls }: PictureUploadProps) {
  const input = useRef<HTMLInputElement>(null)
  const chooser = useRef<HTMLButtonElement>(null)
  const upload = useAction(async (file: File): Promise<Result<unknown>> => {
    const square = await squareOf(file)
    if (!square) return { data: null, error: { status: 400, statusText: '', code: 'NOT_A_PICTURE' } }
    return calls.upload(await base64Of(square))
  }, done)
  const remove = useAction(calls.remove, () => {
    done()
    // The removed button had the focus.
    chooser.current?.focus()
  })
  const error = upload.error ?? remove.error
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
          {exists ? labels.change : labels.choose}
        </Button>
        {exists && (
          <Button look="quiet" busy={remove.busy} onClick={() => remove.run()}>
            {labels.remove}
          </Button>
        )}
      </div>
      {error && <ErrorPanel error={error} />}
    </div>
  )
}
