export const publicMagicLink = () => ({ features: { magicLink: true } })
