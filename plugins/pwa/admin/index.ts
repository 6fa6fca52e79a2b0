import { defineAdmin } from 'pentad/admin'
import { screens } from './screens.ts'

export default defineAdmin({ id: 'pwa', position: 50, screens })
