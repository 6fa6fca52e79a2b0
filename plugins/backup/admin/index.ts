import { defineAdmin } from 'pentad/admin'
import { screens } from './screens.ts'

export default defineAdmin({ id: 'backup', position: 10, screens })
