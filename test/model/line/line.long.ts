import './line.test.ts';
import './real.test.ts';
