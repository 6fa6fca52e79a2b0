import { defineAdmin } from 'pentad/admin'
import { screens } from './screens.ts'

export default defineAdmin({ id: 'seo', position: 40, screens })
