int twice(int v) { return v + v; }
