import './line.test.ts';
