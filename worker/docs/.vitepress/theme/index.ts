// The fonts of the system: the site loads nothing from other origins, and no font of its own.
import theme from 'vitepress/theme-without-fonts'
import './style.css'

export default theme
