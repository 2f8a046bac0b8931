import { auth } from '../../auth'

export default async function Members() {
  const { user } = await auth.requireCaller()
  return (
    <>
      <h1>Hello {user.name}</h1>
      <a href={await auth.signOutUrl()}>Sign out</a>
    </>
  )
}
