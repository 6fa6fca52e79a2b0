import { defineAdmin } from 'pentad/admin'
import { screens } from './screens.ts'

export default defineAdmin({ id: 'speed', position: 20, screens })
