import { auth } from '../../lib/api.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { PictureUpload } from '../../ui/picture-upload.tsx'
import { toast } from '../../ui/toasts.tsx'
import { profileTexts } from './texts.ts'

/** The picture of the user. `image` of the user is its address. */
export function Picture({ exists }: { exists: boolean }) {
  const t = useTexts(profileTexts)
  return (
    <PictureUpload
      exists={exists}
      labels={{ choose: t.choosePicture, change: t.changePicture, remove: t.removePicture }}
      upload={(webp) => auth.avatar({ webp })}
      remove={() => auth.updateUser({ image: null })}
      done={() => {
        auth.$notify('session')
        toast(t.saved)
      }}
    />
  )
}
